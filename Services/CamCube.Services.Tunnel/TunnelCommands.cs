using CamCube.Services.Tunnel.Commands;
using CamCube.Services.Tunnel.Names;

namespace CamCube.Services.Tunnel;

/// <summary>What can be asked of a server's tunnel from outside. Loop only.</summary>
internal sealed class TunnelCommands(IServer server, TunnelService tunnel, TunnelOptions options)
{
    /// <summary>All of them.</summary>
    public IReadOnlyList<ServiceCommand> Commands { get; } =
    [
        ServiceCommand.Of(
            "status",
            "The network card of this server, and what went over it.",
            _ => new ValueTask<CommandResult>(CommandResult.Of(StatusOf(server, tunnel, options)))
        ),
        ServiceCommand.Of(
            "hosts",
            "Names and addresses of all servers of the cube.",
            _ => new ValueTask<CommandResult>(CommandResult.Of(HostsOf(server.Shape, tunnel)))
        ),
    ];

    private static TunnelRow StatusOf(IServer server, TunnelService tunnel, TunnelOptions options)
    {
        Coordinate own = server.Coordinate;
        (int leaving, int coming) = tunnel.Waiting;
        return new TunnelRow(
            $"{own}",
            options.Interface,
            options.NamespaceOf(own),
            $"{tunnel.Addresses.Address4(own)}",
            $"{tunnel.Addresses.Address6(own)}",
            tunnel.Mtu,
            tunnel.Offloads,
            tunnel.Unwell,
            tunnel.Counters.Read.Value,
            tunnel.Counters.ReadBytes.Value,
            tunnel.Counters.Written.Value,
            tunnel.Counters.WrittenBytes.Value,
            tunnel.Counters.Full.Value,
            tunnel.Counters.Marked.Value,
            tunnel.Counters.Shed.Value,
            tunnel.Counters.Lost.Value + tunnel.Counters.GivenUp.Value,
            tunnel.Counters.Late.Value,
            leaving,
            coming,
            tunnel.BridgedMachines
        );
    }

    private static HostRow[] HostsOf(TorusShape shape, TunnelService tunnel)
    {
        var rows = new HostRow[shape.Count];
        for (int rank = 0; rank < rows.Length; rank++)
        {
            Coordinate at = shape.At(rank);
            rows[rank] = new HostRow(
                $"{at}",
                ServerNames.Of(at),
                $"{tunnel.Addresses.Address4(at)}",
                $"{tunnel.Addresses.Address6(at)}"
            );
        }

        return rows;
    }
}
