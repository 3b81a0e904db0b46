namespace CamCube.Hosting.Http;

/// <summary>One claim of a service, in bytes.</summary>
internal sealed record ClaimAnswer(string Name, long Bytes, long InChunks);
