using System.Text;

namespace CamCube.Client.Cache.Connections;

/// <summary>
/// The server of a key by rendezvous hashing: of all servers the one whose name and the key together have the highest
/// hash (FNV-1a, finished as in MurmurHash3), so a server more or less moves only the keys that are its own. Names as
/// in the options: clients that write them alike agree, in whatever order they list them.
/// </summary>
/// <remarks>The hash is an agreement between all clients of a pool, of whatever version: with another one every key
/// would be looked for elsewhere, and values from before would be found again later. So it stays as it is.</remarks>
internal sealed class KeyedOrder(IEnumerable<string> names)
{
    private readonly ulong[] _names = [.. names.Select(name => Hash(Encoding.UTF8.GetBytes(name.ToLowerInvariant())))];

    /// <summary>The number of the key's server.</summary>
    /// <param name="key">The key as it goes to a server.</param>
    public int ServerOf(ReadOnlySpan<byte> key)
    {
        ulong hash = Hash(key);
        int best = 0;
        ulong most = 0;
        for (int i = 0; i < _names.Length; i++)
        {
            ulong weight = Finish(hash ^ _names[i]);
            if (weight >= most)
            {
                (best, most) = (i, weight);
            }
        }

        return best;
    }

    private static ulong Hash(ReadOnlySpan<byte> bytes)
    {
        ulong hash = 0xcbf29ce484222325;
        foreach (byte one in bytes)
        {
            hash = (hash ^ one) * 0x100000001b3;
        }

        return Finish(hash);
    }

    private static ulong Finish(ulong hash)
    {
        hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccd;
        hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53;
        return hash ^ (hash >> 33);
    }
}
