namespace CamCube.Services.Messenger.Tests;

/// <summary>Tests that count what the process holds or a thread allocates: alone, because what other tests hold counts as
/// well, and a collection that another test begins takes the thread's piece of the heap away.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
