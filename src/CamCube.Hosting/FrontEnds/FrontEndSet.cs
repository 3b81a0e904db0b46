using System.Collections.Concurrent;
using CamCube.Runtime.Cubes;

namespace CamCube.Hosting.FrontEnds;

/// <summary>The front ends of all servers of this process. Calls for one server must not overlap; the host's control
/// sees to that.</summary>
internal sealed class FrontEndSet : IAsyncDisposable
{
    private readonly ConcurrentDictionary<int, List<Instance>> _byRank = [];
    private IReadOnlyList<FrontEndDefinition> _definitions;
    private readonly ICube _cube;

    /// <summary>Makes the front ends of the servers that are known already; nothing listens yet.</summary>
    public FrontEndSet(ICube cube, IReadOnlyList<FrontEndDefinition> definitions)
    {
        (_cube, _definitions) = (cube, definitions);
        foreach (int rank in cube.LocalRanks)
        {
            InstancesOf(rank);
        }
    }

    /// <summary>The port of a server: first plus rank where the process runs many servers, the first itself where it
    /// runs one.</summary>
    public static int PortOf(int first, int rank, int servers) => servers > 1 && first != 0 ? first + rank : first;

    /// <summary>Names and ports of the front ends of a server that listen now.</summary>
    public IEnumerable<(string Name, int Port)> ListeningOn(int rank) =>
        _byRank
            .GetValueOrDefault(rank, [])
            .Where(one => one.IsListening && one.Definition.HasPort)
            .Select(one => (one.Definition.Name, one.Port));

    /// <summary>What the front ends say of themselves now that they are started, by those of the first server that has
    /// some.</summary>
    public IEnumerable<(string Name, string Text)> ReadyTexts() =>
        _byRank
            .OrderBy(one => one.Key)
            .Select(one => one.Value)
            .FirstOrDefault([])
            .Where(one => one.IsListening && (!one.Definition.HasPort || one.FrontEnd.ReadyText is not null))
            .Select(one => (one.Definition.Name, one.FrontEnd.ReadyText ?? ""));

    /// <summary>Opens the ports of a server. After a failure those that were opened are closed again.</summary>
    /// <exception cref="FrontEndStartException">One could not be opened.</exception>
    public async Task StartAsync(int rank, CancellationToken cancel)
    {
        foreach (Instance one in InstancesOf(rank).Where(one => !one.IsListening))
        {
            try
            {
                await one.FrontEnd.StartAsync(new FrontEndEndpoint(one.Definition.Address, one.Port), cancel);
                one.IsListening = true;
            }
            catch (Exception e) when (e is not OperationCanceledException)
            {
                await StopAsync(rank);
                throw new FrontEndStartException(one.Definition, _cube.Shape.At(rank), one.Port, e);
            }
        }
    }

    /// <summary>Closes the ports of a server and disconnects its clients at once.</summary>
    public async Task StopAsync(int rank)
    {
        foreach (Instance one in InstancesOf(rank).Where(one => one.IsListening).Reverse())
        {
            one.IsListening = false;
            await one.FrontEnd.StopAsync();
        }
    }

    /// <summary>Closes and forgets the front ends of a server of these definitions.</summary>
    /// <returns>Whether they listened.</returns>
    public async Task<bool> CloseAsync(int rank, IReadOnlyList<FrontEndDefinition> definitions)
    {
        List<Instance> all = InstancesOf(rank),
            gone = [.. all.Where(one => definitions.Contains(one.Definition))];
        bool listened = gone.Any(static one => one.IsListening);
        _byRank[rank] = [.. all.Except(gone)];
        foreach (Instance one in gone)
        {
            if (one.IsListening)
            {
                one.IsListening = false;
                await one.FrontEnd.StopAsync();
            }

            await one.FrontEnd.DisposeAsync();
        }

        return listened;
    }

    /// <summary>Makes front ends of a server, beside those it has; they do not listen.</summary>
    public void Add(int rank, IReadOnlyList<FrontEndDefinition> definitions) =>
        _byRank[rank] = [
            .. InstancesOf(rank)
                .Concat(Make(rank, definitions))
                .OrderBy(one => one.Definition.Name, StringComparer.Ordinal),
        ];

    /// <summary>What servers get.</summary>
    public IReadOnlyList<FrontEndDefinition> Definitions => _definitions;

    /// <summary>Says what servers get that are not known yet.</summary>
    public void Define(IReadOnlyList<FrontEndDefinition> definitions) => _definitions = definitions;

    /// <summary>Lets running requests of all servers end; nobody new gets in.</summary>
    public Task DrainAllAsync(CancellationToken cancel) =>
        Task.WhenAll(
            _byRank
                .Values.SelectMany(ones => ones)
                .Where(one => one.IsListening)
                .Select(one => one.FrontEnd.DrainAsync(cancel).AsTask())
        );

    /// <summary>Closes all ports of all servers.</summary>
    public Task StopAllAsync() => Task.WhenAll(_byRank.Keys.Select(StopAsync));

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (Instance one in _byRank.Values.SelectMany(ones => ones))
        {
            await one.FrontEnd.DisposeAsync();
        }

        _byRank.Clear();
    }

    // A real server learns its rank when it starts.
    private List<Instance> InstancesOf(int rank) => _byRank.GetOrAdd(rank, _ => [.. Make(rank, _definitions)]);

    private IEnumerable<Instance> Make(int rank, IReadOnlyList<FrontEndDefinition> definitions) =>
        definitions.Select(definition => new Instance(
            definition,
            definition.Create(_cube.GateOf(rank)),
            PortOf(definition.Port, rank, _cube.LocalRanks.Count)
        ));

    private sealed class Instance(FrontEndDefinition definition, IFrontEnd frontEnd, int port)
    {
        public FrontEndDefinition Definition { get; } = definition;

        public IFrontEnd FrontEnd { get; } = frontEnd;

        public int Port { get; } = port;

        public bool IsListening { get; set; }
    }
}
