"""LiteRT models (`.tflite`): export of programs."""
