using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Members;

/// <summary>The stores that were given up by hand (<c>recover</c>), as far as is known here. Their servers may come
/// back with other stores, and with these never. Loop only.</summary>
/// <param name="log">Where they are written down.</param>
internal sealed class Bans(MemberLog log)
{
    /// <summary>Why such a store does nothing any more.</summary>
    public const string Words =
        "it was given up with kv recover while it was off, and others went on without it. It is not let in again: "
        + "move its folder away or delete it, and the server begins with another";

    private readonly HashSet<StoreId> _stores = [];
    private bool _isOpen;

    /// <summary>Is told of a server that speaks for a store that was given up.</summary>
    public Action<Coordinate> Heard { get; set; } = static _ => { };

    /// <summary>How many.</summary>
    public int Count => _stores.Count;

    /// <summary>All, in the order of their servers.</summary>
    public IEnumerable<StoreId> All => _stores.OrderBy(static s => s.Server.Packed).ThenBy(static s => s.Incarnation);

    /// <summary>Whether a store was given up.</summary>
    public bool Has(StoreId store) => _stores.Contains(store);

    /// <summary>All that are known are written down.</summary>
    public bool IsSafe => log.BansBehind == 0 && (_isOpen || Count == 0);

    /// <summary>Takes up what was found at the start, beside what others said meanwhile.</summary>
    public void Open(StoreReplay found)
    {
        _isOpen = true;
        byte[] banned = found.Banned ?? [];
        _ = Join(banned);
        bool isWritten = found.BannedPlace.Length > 0 && Count * EpochFormat.StoreLength == banned.Length;
        if (Count > 0 && !isWritten)
        {
            // It lies before where the store began anew; or there are more now.
            log.WriteBans(ToBytes());
        }
    }

    /// <summary>Others know of these; they are written down if they are new here, once the log is open.</summary>
    /// <returns>Whether any is.</returns>
    public bool Add(ReadOnlySpan<byte> stores)
    {
        bool isNew = Join(stores);
        if (isNew && _isOpen)
        {
            log.WriteBans(ToBytes());
            log.Recorder.Pump();
        }

        return isNew;
    }

    /// <summary>All of them as bytes.</summary>
    public byte[] ToBytes()
    {
        var writer = new WireWriter();
        EpochFormat.Write(writer, [.. All]);
        return writer.Written.ToArray();
    }

    private bool Join(ReadOnlySpan<byte> stores)
    {
        bool isNew = false;
        var reader = new WireReader(stores);
        while (reader.Left > 0)
        {
            StoreId store = EpochFormat.ReadStore(ref reader);
            isNew |= !reader.IsBroken && _stores.Add(store);
        }

        return isNew;
    }
}
