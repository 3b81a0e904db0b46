namespace CamCube.Services.Collectives.Tests.Service;

/// <summary>Tests that measure memory: nothing runs beside them.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
