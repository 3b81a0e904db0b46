using System.ComponentModel;
using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.KeyValue.Commands;

/// <summary>Arguments of the command wait.</summary>
internal sealed record WaitArguments : KeyArguments
{
    [Description("the version that is known; 0: there is no value")]
    public ulong Version { get; init; }

    [Description("how long to wait"), Range(typeof(TimeSpan), "00:00:00", "01:00:00")]
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);
}
