using System.ComponentModel;

namespace CamCube.Services.KeyValue.Commands;

/// <summary>Arguments of the command recover.</summary>
internal sealed record RecoverArguments
{
    [Description("servers whose stores are gone for good, by rank or coordinate, with blanks between")]
    public required string Lost { get; init; }

    [Description("do it: without that it only says what would be done, and what may be lost")]
    public bool AcceptLoss { get; init; }

    [Description("of their stores these only, with blanks between, as an answer said them; all that do not answer")]
    public string Stores { get; init; } = "";
}
