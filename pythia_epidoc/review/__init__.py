"""A second opinion on what an editor supplied. Nothing here changes a file.

review_document(document, restorer)  →  opinions, the most surprising first  →  text, JSON, HTML
"""
