using System.Numerics;

namespace CamCube.Services.Collectives.Folding;

/// <summary>How two elements become one, many at a time.</summary>
/// <typeparam name="T">The element.</typeparam>
internal interface IFold<T>
    where T : unmanaged
{
    static abstract Vector<T> Many(Vector<T> left, Vector<T> right);
}
