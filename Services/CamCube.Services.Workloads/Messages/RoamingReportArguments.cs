using System.ComponentModel;

namespace CamCube.Services.Workloads.Messages;

/// <summary>Arguments of the command report of <see cref="RoamingService"/>.</summary>
internal sealed record RoamingReportArguments(
    [Description("by this server's clock: which messages were sent since then")] long From = 0,
    [Description("and before then; 0: until now")] long Until = 0,
    [Description("with the numbers of all messages that came")] bool Numbers = false
);
