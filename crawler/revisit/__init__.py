"""Which known pages and files a night looks at: history in, plan out. No I/O, no clock of its own.

`plan.plan_night` makes the plan, `observe` updates the history after each visit.
"""
