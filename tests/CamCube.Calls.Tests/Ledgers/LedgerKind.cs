namespace CamCube.Calls.Tests.Ledgers;

/// <summary>Messages of the test service.</summary>
public enum LedgerKind : byte
{
    None = 0,

    /// <summary>To a key: add, as a change. Content: <see cref="LedgerHead"/>.</summary>
    Add = 1,

    /// <summary>To a key: the sum, as a read. No content.</summary>
    Look = 2,

    /// <summary>A root's answer. Content: <see cref="SumHead"/>.</summary>
    Sum = 3,

    /// <summary>Content: <see cref="RefusalHead"/>.</summary>
    Refusal = 4,

    /// <summary>To a server: how much was done there.</summary>
    Count = 5,

    /// <summary>Content: 8 bytes.</summary>
    Counted = 6,
}
