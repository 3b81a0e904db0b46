using System.ComponentModel;
using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Messenger.Commands;

/// <summary>Arguments of the command endpoints.</summary>
internal sealed record EndpointsArguments(
    [Description("whose endpoints: of the whole cube, or of this server")] EndpointsOf Of = EndpointsOf.Cube
)
{
    [Description("how long to wait for a server"), Range(typeof(TimeSpan), "00:00:00.001", "00:01:00")]
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(1);
}
