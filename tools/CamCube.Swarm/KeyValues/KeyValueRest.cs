using System.Text;
using CamCube.Services.KeyValue;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.KeyValues;

/// <summary>What a store is like that has come to rest: all members of a group are there, the first leads, all have the
/// same, nothing is left open or kept that need not be.</summary>
internal sealed class KeyValueRest(SwarmCube cube, KeyValueSettings settings, KeyValueWatch watch)
{
    private readonly Dictionary<(int Rank, LogLocation Location), Stored?> _reading = [];

    /// <summary>Groups and keys looked at, at all their members.</summary>
    public long Looked { get; private set; }

    /// <summary>What is not so yet; empty: nothing.</summary>
    public string Look()
    {
        TorusShape shape = cube.Truth.Shape;
        (string wrong, Looked) = ("", 0);
        KeyValueService?[] found = [.. Enumerable.Range(0, shape.Count).Select(rank => StoreAt(cube, rank))];
        if (Array.IndexOf(found, null) is >= 0 and int missing)
        {
            return $"the store of {shape.At(missing)} does not run";
        }

        KeyValueService[] stores = [.. found.OfType<KeyValueService>()];
        for (int rank = 0; rank < stores.Length && wrong.Length == 0; rank++)
        {
            wrong = LookAtStore(stores[rank], stores, shape.At(rank));
        }

        if (wrong.Length > 0)
        {
            return wrong;
        }

        foreach (string key in settings.Keys)
        {
            BeginAll(key, stores);
        }

        foreach (string key in settings.Keys)
        {
            wrong = wrong.Length == 0 ? LookAtKey(key, stores) : wrong;
        }

        return wrong;
    }

    /// <summary>The store of a server; null: it is stopped, or has faulted and is started again.</summary>
    public static KeyValueService? StoreAt(SwarmCube cube, int rank)
    {
        try
        {
            return cube.Cube.IsRunning(rank) ? cube.Cube.Service<KeyValueService>(rank) : null;
        }
        catch (ServiceUnavailableException)
        {
            return null;
        }
    }

    private string LookAtStore(KeyValueService store, KeyValueService[] stores, Coordinate at)
    {
        MemberHost host = store.Host;
        if (host.Failure.Length > 0 || !host.IsOpen)
        {
            return $"{at} does nothing: {host.Failure}";
        }

        foreach (Member member in host.Members)
        {
            Looked++;
            string wrong = LookAtMember(member, stores);
            bool isPlanned = Array.Exists(member.Planned, planned => planned == at);
            if (wrong.Length == 0 && isPlanned && member.State.Epoch!.Members.ToArray().Any(host.Bans.Has))
            {
                wrong = "it has a member that was given up";
            }

            if (wrong.Length > 0)
            {
                string group = $"{cube.Truth.Shape.At(member.Id.Home)}/{member.Id.Sequence}";
                return $"{at}, group {group}: {wrong}:{AllOf(member.Id, stores)}";
            }
        }

        return store.Open != (0, 0) || host.Behind > 0
            ? $"{at}: {store.Open} requests are open, {host.Behind} records are not durable"
            : "";
    }

    // What every store knows of a group: who waits for whom.
    private static string AllOf(GroupId id, KeyValueService[] stores)
    {
        var text = new StringBuilder();
        foreach (KeyValueService store in stores)
        {
            if (store.Host.Find(id) is { } member)
            {
                text.Append("\n    ").Append(member.State).Append(" states fetched ").Append(store.Fetching);
            }
        }

        return text.ToString();
    }

    private string LookAtMember(Member member, KeyValueService[] stores)
    {
        GroupState state = member.State;
        if (state.Epoch is not { } epoch)
        {
            // Who was to stand in for another, and was not needed before it had the state, has nothing of it.
            return member.Planned.Contains(state.Self.Server) || state.Fetching is not null ? "it is not born" : "";
        }

        if (!member.Planned.Contains(state.Self.Server))
        {
            return state.Role == GroupRole.Ended && state.IsDropped ? "" : "it stands in for another, or did";
        }

        byte all = (byte)((1 << epoch.Members.Length) - 1);
        if (state.CommitMarks.Away != 0 || state.CommitMarks.Whole != all)
        {
            return "members are away, or not whole";
        }

        for (int i = 0; i < member.Planned.Length; i++)
        {
            if (i >= epoch.Members.Length || epoch.Members[i].Server != member.Planned[i])
            {
                return "others than planned have it";
            }
        }

        if (member.Shown != state.Applied || state.Applied != state.LastIndex || state.Commit != state.LastIndex)
        {
            return $"not all is visible ({member.Shown})";
        }

        if (state.Leader != 0 || member.Leads != (state.Position == 0))
        {
            return "the first one does not lead";
        }

        // Beside what is kept on purpose, what came since the last time that was looked.
        if (member.Tail.Bytes > settings.Store.TailBytes + (4L * settings.Store.MaxValueLength))
        {
            return $"{member.Tail.Bytes} bytes of its log are in memory";
        }

        Member first = stores[cube.Truth.Shape.RankOf(epoch.Members[0].Server)].Host.Find(member.Id)!;
        return
            first.State.LastIndex == state.LastIndex
            && first.State.Ballot == state.Ballot
            && epoch.Equals(first.State.Epoch)
            ? ""
            : $"its leader is in another place: {first.State}";
    }

    private void Begin(int rank, MemberHost host, IndexEntry entry)
    {
        _reading[(rank, entry.Location)] = null;
        cube.Cube.ServerOf<KeyValueService>(rank)
            .Loop.Run(async () => _reading[(rank, entry.Location)] = await ReadAsync(host, entry));
    }

    private static async ValueTask<Stored> ReadAsync(MemberHost host, IndexEntry entry)
    {
        LogRead read = await host.LogOf(entry.Group)!.ReadAsync(entry.Location, new byte[entry.Location.Length]);
        foreach ((UInt128 key, IndexEntry other) in read.IsRotten ? host.Index.Of(entry.Group).ToArray() : [])
        {
            if (other.Location == entry.Location)
            {
                // As with each reader.
                await host.StateDuty.MendAsync(entry.Group, key);
            }
        }

        if (read.Status != DiskStatus.Done || read.IsRotten || !entry.IsInPieces)
        {
            return new Stored(read, read.Value);
        }

        if (PieceList.Read(read.Value.Span) is not { } list)
        {
            return new Stored(read, default);
        }

        byte[] value = new byte[list.Length],
            buffer = new byte[2 * PieceList.PieceBytes];
        MemberStore store = host.Pieces.StoreWith(list.Id);
        PieceRead pieces = await store.Records.Pieces.Pieces.ReadAsync(store.Log!, list, 0, value, buffer);
        return new Stored(read with { Status = pieces.Status }, value);
    }

    // All copies of all keys at once: with one read in each look, many copies would take longer than there is time.
    private void BeginAll(string name, KeyValueService[] stores)
    {
        byte[] key = Encoding.UTF8.GetBytes(name);
        foreach (Coordinate at in watch.GroupOf(key).Planned(cube.Truth.Shape, settings.Store.Replicas))
        {
            int rank = cube.Truth.Shape.RankOf(at);
            MemberHost host = stores[rank].Host;
            host.TryFind(0, key, out IndexEntry entry);
            if (entry.Current != 0 && !_reading.ContainsKey((rank, entry.Location)))
            {
                Begin(rank, host, entry);
            }
        }
    }

    private string LookAtKey(string name, KeyValueService[] stores)
    {
        byte[] key = Encoding.UTF8.GetBytes(name);
        GroupId id = watch.GroupOf(key);
        (IndexEntry Entry, ulong Sum)? first = null;
        foreach (Coordinate at in id.Planned(cube.Truth.Shape, settings.Store.Replicas))
        {
            Looked++;
            int rank = cube.Truth.Shape.RankOf(at);
            MemberHost host = stores[rank].Host;
            host.TryFind(0, key, out IndexEntry entry);
            ulong sum = 0;
            if (entry.Current != 0)
            {
                if (!_reading.TryGetValue((rank, entry.Location), out Stored? reading) || reading is not { } stored)
                {
                    return $"{name} is being read";
                }

                LogRead read = stored.Read;
                if (read.Status != DiskStatus.Done || read.IsRotten || stored.Value.Length != entry.Length)
                {
                    // It may be on its way to another place.
                    _reading.Remove((rank, entry.Location));
                    return $"{name} cannot be read at {at}: {read.Status}, {stored.Value.Length} of {entry.Length}";
                }

                sum = KeyValueHistory.NumberIn(OperationFormat.MetadataOf(read.Record.Flags, read.Extra).Span);
                if (!stored.Value.Span.SequenceEqual(KeyValueHistory.ValueOf(sum, entry.Length)))
                {
                    return $"{name} is damaged at {at}";
                }
            }

            (IndexEntry Entry, ulong Sum) here = (entry with { Location = default }, sum);
            first ??= here;
            if (first != here)
            {
                return $"{name} is {here} at {at}, and {first} at the first member";
            }
        }

        return "";
    }

    private sealed record Stored(LogRead Read, ReadOnlyMemory<byte> Value);
}
