namespace CamCube.Testing;

/// <summary>Something that a scenario checks does not hold.</summary>
internal sealed class SwarmCheckException(string what) : Exception(what);
