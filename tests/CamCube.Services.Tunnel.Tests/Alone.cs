namespace CamCube.Services.Tunnel.Tests;

/// <summary>Tests that count what a thread allocates: alone, because a collection that another test begins takes the
/// thread's piece of the heap away.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
