namespace CamCube.Tool.Checks;

/// <summary>Kinds of values that matter.</summary>
internal enum FlowKind
{
    /// <summary>Any.</summary>
    Unknown,

    /// <summary>A number, or a truth value.</summary>
    Number,

    /// <summary>Null.</summary>
    Null,

    /// <summary>A packet, by the place that it came from.</summary>
    Packet,

    /// <summary>The address of a variable.</summary>
    Address,

    /// <summary>The state machine of an async method.</summary>
    This,

    /// <summary>A method of the assembly itself.</summary>
    Function,

    /// <summary>A delegate of such a one.</summary>
    Delegate,
}
