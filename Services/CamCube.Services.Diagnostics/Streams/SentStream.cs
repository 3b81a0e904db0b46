namespace CamCube.Services.Diagnostics.Streams;

/// <summary>What became of one stream, in JSON.</summary>
/// <param name="Bytes">Bytes that arrived.</param>
/// <param name="Seconds">From the first stream's opening to this one's end.</param>
/// <param name="End">How it ended; Different: all has arrived, and the reader has read other bytes.</param>
/// <param name="Sha256">Of what both sides have, in hex digits; null: not compared, or not the same.</param>
internal sealed record SentStream(long Bytes, double Seconds, string End, string? Sha256);
