"""Which letters a hypothesis rests on: attention, a check of it by occlusion, and pictures of both.

saliency(lacuna, text, restorer)  →  Saliency  →  JSON, SVG, HTML
"""
