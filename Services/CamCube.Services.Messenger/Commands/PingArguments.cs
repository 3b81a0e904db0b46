using System.ComponentModel;
using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Messenger.Commands;

/// <summary>Arguments of the command ping.</summary>
internal sealed record PingArguments(
    [Description("server whose messenger is asked")] Coordinate To,
    [Description("calls, one after the other"), Range(1, 10_000)] int Count = 4,
    [Description("bytes of the question and of its answer; with long of the answer"), Range(1, 1 << 28)] int Size = 56,
    [Description("the answer is written into a window that the question lends")] bool Long = false
)
{
    [Description("how long to wait for each answer"), Range(typeof(TimeSpan), "00:00:00.001", "00:01:00")]
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(1);
}
