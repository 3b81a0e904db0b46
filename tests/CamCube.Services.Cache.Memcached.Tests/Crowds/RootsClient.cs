using System.Text;

namespace CamCube.Services.Cache.Memcached.Tests.Crowds;

/// <summary>
/// A client with keys of every server of a cube, of which one dies while it works. Each set is stored and each get has
/// what was set last, whoever dies; only what the dead server had may be gone.
/// </summary>
/// <param name="name">Begins its keys.</param>
/// <param name="shape">Shape of the cube.</param>
/// <param name="victim">Who dies.</param>
/// <param name="death">When.</param>
/// <param name="random">Draws what it does.</param>
internal sealed class RootsClient(string name, TorusShape shape, int victim, Death death, Random random)
{
    /// <summary>Its keys at each server.</summary>
    public const int KeysPerRoot = 2;

    private const int Rounds = 30,
        MostAtOnce = 16;

    private readonly List<Item> _items = [];
    private SocketClient _client = null!;
    private int _sets;

    /// <summary>Items that were gone when it asked for them.</summary>
    public int Lost { get; private set; }

    /// <summary>Connects, and sets all its keys.</summary>
    public async Task ComeAsync(LoopBed bed)
    {
        var count = new int[shape.Count];
        for (int i = 0; _items.Count < KeysPerRoot * shape.Count; i++)
        {
            string key = $"{name}-{i}";
            int root = shape.RankOf(Key.OfName(key).HomeIn(shape));
            if (count[root] < KeysPerRoot)
            {
                count[root]++;
                _items.Add(new Item(key, root == victim));
            }
        }

        _client = await bed.ConnectAsync();
        await AskAsync([.. _items.Select(item => (item, true))]);
    }

    /// <summary>Sets and gets, many at once, until it has done so often enough before and after the death.</summary>
    public async Task WorkAsync()
    {
        for (int i = 0, after = 0; after < Rounds; i++, after += death.HasHappened ? 1 : 0)
        {
            if (i == Rounds)
            {
                death.Await();
            }

            await AskAsync([
                .. Enumerable
                    .Range(0, random.Next(1, MostAtOnce + 1))
                    .Select(_ => (_items[random.Next(_items.Count)], random.Next(2) == 0)),
            ]);
        }
    }

    /// <summary>Sets all its keys and gets them once more, then goes.</summary>
    public async Task LeaveAsync()
    {
        await AskAsync([.. _items.Select(item => (item, false))]);
        await AskAsync([.. _items.Select(item => (item, true)), .. _items.Select(item => (item, false))]);
        Assert.DoesNotContain(_items, item => item.MayBeGone);
        _client.Dispose();
    }

    private async Task AskAsync(IReadOnlyList<(Item Item, bool IsSet)> commands)
    {
        // A set that is sent after the death is done by a server that lives; one before it may have been the victim's.
        bool isSafe = death.HasHappened;
        var request = new StringBuilder();
        var values = new string[commands.Count];
        for (int i = 0; i < commands.Count; i++)
        {
            (Item item, bool isSet) = commands[i];
            values[i] = isSet ? $"{item.Key}={_sets++}" : "";
            request.Append(isSet ? $"set {item.Key} 0 0 {values[i].Length}\r\n{values[i]}\r\n" : $"get {item.Key}\r\n");
        }

        await _client.SendAsync(request.ToString());
        for (int i = 0; i < commands.Count; i++)
        {
            (Item item, bool isSet) = commands[i];
            if (isSet)
            {
                await _client.ExpectAsync("STORED\r\n");
                (item.Value, item.MayBeGone) = (values[i], item.IsVictims && !isSafe);
            }
            else
            {
                await GetAsync(item);
            }
        }
    }

    private async Task GetAsync(Item item)
    {
        const string Miss = "END\r\n";
        string first = await _client.ReceiveAsync(Miss.Length);
        if (item.Value is { } value && (first != Miss || !item.MayBeGone))
        {
            string hit = $"VALUE {item.Key} 0 {value.Length}\r\n{value}\r\n{Miss}";
            Assert.Equal(hit[..first.Length], first);
            await _client.ExpectAsync(hit[first.Length..]);
            return;
        }

        Assert.Equal(Miss, first);
        Lost += item.Value is null ? 0 : 1;
        item.Value = null;
    }

    private sealed class Item(string key, bool isVictims)
    {
        public string Key { get; } = key;

        /// <summary>Whether its root dies.</summary>
        public bool IsVictims { get; } = isVictims;

        /// <summary>What was set last; null: it is gone.</summary>
        public string? Value { get; set; }

        /// <summary>Whether the dead server may have had it.</summary>
        public bool MayBeGone { get; set; }
    }
}
