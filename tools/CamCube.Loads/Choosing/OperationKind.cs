namespace CamCube.Loads.Choosing;

/// <summary>What a load asks.</summary>
public enum OperationKind
{
    /// <summary>Reads a record.</summary>
    Get,

    /// <summary>Writes a record that is there.</summary>
    Put,

    /// <summary>Writes a new record.</summary>
    Insert,

    /// <summary>Reads a record, and writes it when it was read: two commands, whose time is one.</summary>
    ReadModifyWrite,

    /// <summary>Adds 1 to a number, which is beside the records.</summary>
    Increment,

    /// <summary>Deletes a record.</summary>
    Delete,
}
