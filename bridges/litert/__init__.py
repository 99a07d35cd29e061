"""LiteRT models (`.tflite`): import and export."""
