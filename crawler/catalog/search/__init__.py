"""Search: documents, words, questions, and the search itself."""
