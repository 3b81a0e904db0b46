namespace CamCube.Hosting.Http;

/// <summary>Bytes that services have claimed and may claim.</summary>
internal sealed record MemoryAnswer(long Used, long Limit);
