using System.ComponentModel;
using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Diagnostics;

/// <summary>Arguments of the command servers.</summary>
internal sealed record ServersArguments
{
    [Description("how long each server gets"), Range(typeof(TimeSpan), "00:00:00.001", "00:01:00")]
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(1);
}
