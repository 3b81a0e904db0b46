namespace CamCube.Administration.Answers;

/// <summary>Bytes that services have claimed and may claim.</summary>
/// <param name="Used">Claimed.</param>
/// <param name="Limit">May be claimed.</param>
public sealed record MemoryAnswer(long Used, long Limit);
