using CamCube.Administration.Answers;
using CamCube.Testbed;
using CamCube.Tool.Hosts;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Testbed;

/// <summary>Fault rules of a testbed's servers. Each server's rules concern what it sends, so a cable's two ways are
/// rules at its two ends.
/// </summary>
internal sealed class TestbedFaults : IDisposable
{
    private const string Path = "/api/faults";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);
    private readonly TestbedState _state;
    private readonly TorusShape _shape;
    private readonly ToolHost[] _hosts;

    /// <summary>The faults of a testbed.</summary>
    /// <exception cref="ToolException">It was not finished.</exception>
    public TestbedFaults(TestbedState state)
    {
        TestbedControl.CheckComplete(state);
        (_state, _shape) = (state, state.Plan.Torus());
        _hosts =
        [
            .. state.Servers.Select(server => new ToolHost(
                HostAddress.Standard,
                NamespaceHttp.Client(server.Namespace, Patience)
            )),
        ];
    }

    /// <summary>The servers that have to be told, and of which of their links; null: of all.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="at">A server or a link as the command line has it; null: everywhere.</param>
    /// <param name="way">out, in or both.</param>
    /// <exception cref="ToolException">There is no such server or link.</exception>
    public static IReadOnlyList<(int Rank, Link? Link)> Senders(TorusShape shape, string? at, string way)
    {
        if (at is null)
        {
            return way == "both"
                ? [.. Enumerable.Range(0, shape.Count).Select(rank => (rank, (Link?)null))]
                : throw new ToolException(ExitCode.Usage, $"--way {way} needs --at.");
        }

        bool isLink = CapturedLink.TryParse(at, out CapturedLink named);
        ServerName server =
            isLink ? named.Server
            : ServerName.TryParse(at, out ServerName name) ? name
            : default;
        int rank = server.RankIn(shape);
        if (rank < 0)
        {
            throw new ToolException(ExitCode.Failed, $"there is no server '{server.Text}' in a cube {shape}.");
        }

        Coordinate place = shape.At(rank);
        LinkSet cabled = shape.CabledLinks(place);
        if (isLink && !cabled.Contains(named.Link))
        {
            throw new ToolException(
                ExitCode.Failed,
                $"server {place} has no cable {named.Link.Name()} in a cube {shape}."
            );
        }

        List<(int Rank, Link? Link)> senders = way == "in" ? [] : [(rank, isLink ? named.Link : null)];
        if (way != "out")
        {
            foreach (Link link in isLink ? named.Link : cabled)
            {
                senders.Add((shape.RankOf(shape.Step(place, link)), link.Opposite()));
            }
        }

        return senders;
    }

    /// <summary>Puts a rule into force at all servers that it takes.</summary>
    /// <param name="senders">Which ones.</param>
    /// <param name="order">Path and query for a place.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public async Task<IReadOnlyList<(string Server, FaultRuleAnswer Rule)>> AddAsync(
        IReadOnlyList<(int Rank, Link? Link)> senders,
        Func<string?, string> order,
        CancellationToken cancel
    )
    {
        List<(string, FaultRuleAnswer)> rules = [];
        foreach ((int rank, Link? link) in senders)
        {
            Coordinate place = _shape.At(rank);
            string json = await _hosts[rank]
                .PostAsync(order(link is { } one ? $"{place}:{one.PlainName()}" : null), TimeSpan.Zero, cancel);
            rules.Add(($"{place}", _hosts[rank].Read<FaultRuleAnswer>(json)));
        }

        return rules;
    }

    /// <summary>The rules of all servers that run.</summary>
    public Task<IReadOnlyList<(string Server, FaultsAnswer Faults)>> ListAsync(CancellationToken cancel) =>
        AllAsync(host => host.GetAsync(Path, cancel));

    /// <summary>Ends all rules of all servers that run.</summary>
    public Task<IReadOnlyList<(string Server, FaultsAnswer Faults)>> ClearAsync(CancellationToken cancel) =>
        AllAsync(host => host.DeleteAsync(Path, cancel));

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (ToolHost host in _hosts)
        {
            host.Dispose();
        }
    }

    private async Task<IReadOnlyList<(string Server, FaultsAnswer Faults)>> AllAsync(Func<ToolHost, Task<string>> ask)
    {
        int[] ranks =
        [
            .. Enumerable.Range(0, _hosts.Length).Where(rank => _state.Servers[rank].Process?.IsAlive() == true),
        ];
        FaultsAnswer[] answers = await Task.WhenAll(
            ranks.Select(async rank => _hosts[rank].Read<FaultsAnswer>(await ask(_hosts[rank])))
        );
        return [.. ranks.Zip(answers, (rank, faults) => ($"{_shape.At(rank)}", faults))];
    }
}
