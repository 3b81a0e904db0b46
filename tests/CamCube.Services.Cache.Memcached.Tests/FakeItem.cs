namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>An item of <see cref="FakeCache"/>.</summary>
internal sealed class FakeItem
{
    public int KeyLength { get; init; }

    public byte[] Value { get; set; } = [];

    public uint Flags { get; set; }

    public ulong Cas { get; set; }

    /// <summary>Seconds; <see cref="long.MaxValue"/>: never.</summary>
    public long ExpiresAt { get; set; } = long.MaxValue;

    public long UsedAt { get; set; }

    public bool WasRead { get; set; }

    public bool IsStale { get; set; }

    public bool IsWinOut { get; set; }

    public bool HasBinaryKey { get; set; }
}
