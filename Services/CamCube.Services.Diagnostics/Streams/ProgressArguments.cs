using System.ComponentModel;

namespace CamCube.Services.Diagnostics.Streams;

/// <summary>Arguments of the command progress.</summary>
internal sealed record ProgressArguments([Description("the number that send was given")] long Run);
