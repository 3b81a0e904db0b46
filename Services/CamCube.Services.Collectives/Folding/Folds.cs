using System.Numerics;

namespace CamCube.Services.Collectives.Folding;

/// <summary>The operators.</summary>
internal static class Folds
{
    public readonly struct Sum<T> : IFold<T>
        where T : unmanaged
    {
        public static Vector<T> Many(Vector<T> left, Vector<T> right) => left + right;
    }

    public readonly struct Product<T> : IFold<T>
        where T : unmanaged
    {
        public static Vector<T> Many(Vector<T> left, Vector<T> right) => left * right;
    }

    public readonly struct Min<T> : IFold<T>
        where T : unmanaged
    {
        public static Vector<T> Many(Vector<T> left, Vector<T> right) => Vector.Min(left, right);
    }

    public readonly struct Max<T> : IFold<T>
        where T : unmanaged
    {
        public static Vector<T> Many(Vector<T> left, Vector<T> right) => Vector.Max(left, right);
    }

    public readonly struct And<T> : IFold<T>
        where T : unmanaged
    {
        public static Vector<T> Many(Vector<T> left, Vector<T> right) => left & right;
    }

    public readonly struct Or<T> : IFold<T>
        where T : unmanaged
    {
        public static Vector<T> Many(Vector<T> left, Vector<T> right) => left | right;
    }

    public readonly struct Xor<T> : IFold<T>
        where T : unmanaged
    {
        public static Vector<T> Many(Vector<T> left, Vector<T> right) => left ^ right;
    }
}
