using System.ComponentModel;

namespace CamCube.Services.KeyValue.Commands;

/// <summary>Arguments of the command verify.</summary>
internal sealed record VerifyArguments
{
    [Description("where it goes on, as the part before said it")]
    public string? Cursor { get; init; }
}
