using System.Numerics;
using System.Runtime.InteropServices;

namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// Which keys a segment may have records of: 16 bits for each (Bloom 1970, with six of them set). It never says no to a
/// key that is there, and yes to one in a thousand that is not. It grows by parts, each as large as all before it.
/// </summary>
internal sealed class KeyFilter
{
    private const int FirstWords = 64;
    private const int BitsPerKey = 16;
    private const int Probes = 6;
    private readonly List<ulong[]> _parts = [];
    private int _room;

    /// <summary>Bytes of memory that it has.</summary>
    public long Bytes { get; private set; }

    /// <summary>What a key is told by.</summary>
    public static ulong Hash(uint group, ReadOnlySpan<byte> key)
    {
        ulong hash = Mix(group ^ ((ulong)key.Length << 32));
        while (key.Length >= sizeof(ulong))
        {
            hash = Mix(hash ^ MemoryMarshal.Read<ulong>(key));
            key = key[sizeof(ulong)..];
        }

        ulong rest = 0;
        foreach (byte b in key)
        {
            rest = (rest << 8) | b;
        }

        return Mix(hash ^ rest);
    }

    public void Add(ulong hash)
    {
        if (_room == 0)
        {
            int words = _parts.Count == 0 ? FirstWords : 2 * _parts[^1].Length;
            _parts.Add(new ulong[words]);
            _room = words * 64 / BitsPerKey;
            Bytes += words * sizeof(ulong);
        }

        _room--;
        ulong[] part = _parts[^1];
        for (int i = 0; i < Probes; i++, hash = Mix(hash))
        {
            part[(hash >> 6) & (ulong)(part.Length - 1)] |= 1UL << (int)(hash & 63);
        }
    }

    public bool MayHave(ulong hash)
    {
        foreach (ulong[] part in _parts)
        {
            ulong probe = hash;
            int i = 0;
            while (i < Probes && (part[(probe >> 6) & (ulong)(part.Length - 1)] >> (int)(probe & 63) & 1) != 0)
            {
                (i, probe) = (i + 1, Mix(probe));
            }

            if (i == Probes)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Forgets all keys, and keeps the memory of the largest part.</summary>
    public void Clear()
    {
        if (_parts.Count > 1)
        {
            _parts.RemoveRange(0, _parts.Count - 1);
            Bytes = _parts[0].Length * sizeof(ulong);
        }

        if (_parts.Count > 0)
        {
            Array.Clear(_parts[0]);
            _room = _parts[0].Length * 64 / BitsPerKey;
        }
    }

    /// <summary>Copies it to a snapshot.</summary>
    public void CopyTo(SnapshotWriter to)
    {
        to.Add((uint)_parts.Count);
        to.Add((uint)_room);
        foreach (ulong[] part in _parts)
        {
            to.Add((uint)part.Length);
            to.Add(MemoryMarshal.AsBytes(part.AsSpan()));
        }
    }

    /// <summary>Reads one; null: that cannot be.</summary>
    public static async ValueTask<KeyFilter?> Read(SnapshotReader from)
    {
        var filter = new KeyFilter();
        if (
            await from.ReadCount(FirstWords * sizeof(ulong)).ConfigureAwait(true) is not { } parts
            || await from.ReadUInt().ConfigureAwait(true) is not { } room
        )
        {
            return null;
        }

        for (; parts > 0; parts--)
        {
            if (
                await from.ReadCount(sizeof(ulong)).ConfigureAwait(true) is not { } words
                || words < FirstWords
                || !BitOperations.IsPow2(words)
            )
            {
                return null;
            }

            byte[] bytes = new byte[words * sizeof(ulong)];
            if (!await from.Read(bytes).ConfigureAwait(true))
            {
                return null;
            }

            ulong[] part = new ulong[words];
            bytes.CopyTo(MemoryMarshal.AsBytes(part.AsSpan()));
            filter._parts.Add(part);
            filter.Bytes += bytes.Length;
            filter._room = (int)Math.Min(room, words * 64L / BitsPerKey);
        }

        return filter;
    }

    private static ulong Mix(ulong x)
    {
        x = (x ^ (x >> 30)) * 0xBF58_476D_1CE4_E5B9;
        x = (x ^ (x >> 27)) * 0x94D0_49BB_1331_11EB;
        return x ^ (x >> 31) ^ 0x9E37_79B9_7F4A_7C15;
    }
}
