"""The crawl as a state machine without I/O: live crawls, replays and tests run the same code.

Theory of operation
-------------------
The caller repeats three calls, and nothing else drives the machine:

    request = crawl.next_request()            # None: the crawl has stopped
    decision = crawl.on_headers(head, first)  # READ the page, KEEP the target, DROP the rest
    events = crawl.receive(reply)             # then: commit crawl.take_changes()

One request is one step and one transaction. What `next_request` decides becomes durable only with
the answer, so a crawl that is killed and restored decides the same again and repeats at most the
request that was in flight.

The moving parts share a `Ledger` (ledger.py). These fields of it are the state of the machine:

    frames    a stack of pages whose new links are being placed (frame.py)
    task      the one URL in work, with its retries and redirect hops (task.py)
    entries   start pages that were not requested yet
    deferred  URLs without an answer, for a second try at the end
    stopped   the one reason why this run ended (stop.py)

beside them the robots.txt in work (`RobotsGate.task`) and the frontier, which the strategy holds.

`next_request` loops until it has a request or a reason to stop:

1. A spent budget, or early stopping, stops the run (budget.py).
2. A robots.txt in work is requested before anything else (robots_gate.py).
3. Without a task the chooser finds one (chooser.py). It places the links of the top frame: the
   strategy queues them, or wants one fetched or asked for with HEAD now. A frame without links left
   is closed, and its action gets the reward. Then come start pages, the strategy's selection
   (Algorithm 3), and deferred URLs. With nothing left, the run stops.
4. A task whose origin has no known robots.txt waits for it; a forbidden one is skipped.

`receive` settles the task or leaves it in work (reception.py, Algorithm 4): a temporary failure
sets its wait, a redirect replaces its URL, a HEAD answer that says "target" turns it into a GET. A
page opens a frame; a kept target adds 1 to the reward of the frame on top; a URL that is of no use
is given up with one `SkipReason`; one without an answer is deferred, and ten of them in a row stop
the run. Frames replace the recursion of Algorithm 4: a predicted target that turns out to be a page
opens a frame inside the frame it was found in.

Time and randomness come from outside: clocks are passed in, and random choices belong to the
strategy, which saves its generator (checkpoint.py).
"""
