using System.ComponentModel;

namespace CamCube.Services.KeyValue.Commands;

/// <summary>Arguments of the commands get and info.</summary>
internal sealed record GetArguments : KeyArguments
{
    [Description("latest; or any: what the first server that has it has, perhaps an old value")]
    public KeyValueReads Reads { get; init; }
}
