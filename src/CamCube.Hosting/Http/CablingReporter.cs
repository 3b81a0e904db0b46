using CamCube.Administration.Answers;

namespace CamCube.Hosting.Http;

/// <summary>Turns what the cables tell into the answers of the HTTP interface.</summary>
internal static class CablingReporter
{
    /// <summary>A report in the form of the answers.</summary>
    public static CablingAnswer Of(CablingReport report) =>
        new(
            report.ClusterId,
            [report.Shape.X, report.Shape.Y, report.Shape.Z],
            report.Shape.ParallelCables,
            report.ServerId,
            report.Coordinate?.ToString(),
            AnswerName.Of(report.Phase),
            report.Waiting,
            report.MaxFrameLength,
            report.MapEpochMillis,
            report.MapMaker,
            report.AdmittedLinks,
            report.ExpectedLinks,
            report.WorkingCables,
            report.ExpectedCables,
            [.. report.Servers.Select(Of)],
            [.. report.Faults.Select(Of)]
        );

    private static CablingServerAnswer Of(CablingServer server) =>
        new(
            server.ServerId,
            server.Coordinate?.ToString(),
            server.IsFixed,
            server.IsRefusing,
            [.. server.Ports.Select(Of)]
        );

    private static CablingFaultAnswer Of(CablingFault fault) =>
        new(
            AnswerName.Of(fault.Kind),
            fault.ServerId,
            fault.Coordinate?.ToString(),
            fault.Port,
            fault.Link?.Name(),
            fault.Text
        );

    private static CablingPortAnswer Of(CablingPort port) =>
        new(
            port.Name,
            port.Link?.Name(),
            port.IsUp,
            port.MaxFrameLength,
            port.IsAdmitted,
            AnswerName.Of(port.Heard),
            port.IsMutual,
            port.PeerServerId,
            port.PeerCoordinate?.ToString(),
            port.PeerLink?.Name(),
            port.PeerPort,
            port.Detail
        )
        {
            Foreign = port.Foreign is { } foreign
                ? new ForeignAnswer(
                    foreign.Protocol,
                    foreign.Source,
                    foreign.Sender,
                    foreign.Frames,
                    foreign.LastSeenMillis
                )
                : null,
        };
}
