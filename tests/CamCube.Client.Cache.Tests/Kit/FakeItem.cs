namespace CamCube.Client.Cache.Tests.Kit;

internal sealed record FakeItem(byte[] Data, uint Flags, DateTimeOffset Expires, ulong Cas);
