namespace CamCube.Services.Diagnostics.Streams;

/// <summary>What a command has sent until now, in JSON.</summary>
/// <param name="Bytes">Bytes that have arrived.</param>
/// <param name="Seconds">Since the first stream was opened.</param>
internal sealed record SendProgress(long Bytes, double Seconds);
