namespace CamCube.Services.Diagnostics.Streams;

/// <summary>The answer of the command send, in JSON.</summary>
/// <param name="From">The server that wrote.</param>
/// <param name="To">The server that read.</param>
/// <param name="Bytes">Bytes that arrived.</param>
/// <param name="Seconds">From the first stream's opening to the last one's end.</param>
/// <param name="GoodputBitsPerSecond">Bits that arrived in a second.</param>
/// <param name="End">How the streams ended: Finished, or how the first ended that did not finish.</param>
/// <param name="Paths">What left on which path.</param>
/// <param name="Streams">How each ended.</param>
internal sealed record SentAnswer(
    string From,
    string To,
    long Bytes,
    double Seconds,
    double GoodputBitsPerSecond,
    string End,
    IReadOnlyList<SentPath> Paths,
    IReadOnlyList<SentStream> Streams
);
