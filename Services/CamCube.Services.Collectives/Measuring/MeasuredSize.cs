namespace CamCube.Services.Collectives.Measuring;

/// <summary>What was measured with vectors of one size.</summary>
/// <param name="Bytes">Bytes of the vector.</param>
/// <param name="Took">One operation, on average, at the member that was slowest.</param>
/// <param name="Wrong">Elements that were not what they must be, at all members.</param>
internal readonly record struct MeasuredSize(int Bytes, TimeSpan Took, long Wrong);
