namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>One loop; half of the keys are at another server.</summary>
public sealed class LoopChaosTests() : LoopChaos(new TorusShape(2, 1, 1), parts: 1);
