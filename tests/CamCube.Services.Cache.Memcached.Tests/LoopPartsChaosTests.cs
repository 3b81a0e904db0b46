namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>Three loops that do each other's keys.</summary>
public sealed class LoopPartsChaosTests() : LoopChaos(new TorusShape(1, 1, 1), parts: 3);
