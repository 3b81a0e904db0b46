using CamCube.Calls;

namespace CamCube.Services.Diagnostics;

/// <summary>Asks every server of the cube for its summary, through the torus. Loop only.</summary>
internal sealed class SummaryRound(IServer server) : Round
{
    private readonly ServerSummary?[] _answers = new ServerSummary?[server.Shape.Count];

    /// <summary>The summaries by rank; null: no answer yet.</summary>
    public IReadOnlyList<ServerSummary?> Answers => _answers;

    /// <summary>A server answered.</summary>
    public void Add(Coordinate source, ServerSummary summary) => _answers[server.Shape.RankOf(source)] = summary;

    /// <inheritdoc/>
    protected override void Send(ulong question, Coordinate to)
    {
        if (server.Packets.TryRent(0, out Packet? packet))
        {
            packet.Header<DiagnosticsHeader>() = new DiagnosticsHeader
            {
                Kind = DiagnosticsKind.Ask,
                Question = question,
            };
            server.Send(packet, to);
        }
    }
}
