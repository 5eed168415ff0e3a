"""The user's own collection as evidence: an index of readings, search in it, and what it attests.

update(index, folders)  →  ParallelsIndex  →  search(index, "ἔδοξεν τῆι [5] καὶ")
                                           →  AttestingRestorer(restorer, index)
"""
