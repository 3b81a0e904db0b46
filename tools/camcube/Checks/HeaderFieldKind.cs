namespace CamCube.Tool.Checks;

/// <summary>How a field of a service's header is to be shown.</summary>
internal enum HeaderFieldKind
{
    /// <summary>A whole number without sign, 1, 2, 4 or 8 bytes.</summary>
    Unsigned,

    /// <summary>A whole number with sign, 1, 2, 4 or 8 bytes.</summary>
    Signed,

    /// <summary>A floating-point number, 4 or 8 bytes.</summary>
    Real,

    /// <summary>A truth value of a byte.</summary>
    Truth,

    /// <summary>A coordinate, 6 bytes.</summary>
    Place,

    /// <summary>A GUID.</summary>
    Guid,

    /// <summary>Bytes of which nothing more is known.</summary>
    Bytes,
}
