namespace CamCube.Messaging.Tests;

/// <summary>Tests that measure the memory of the process: what others hold meanwhile would count.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
