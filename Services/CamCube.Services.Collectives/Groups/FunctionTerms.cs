using System.Buffers.Binary;
using System.Text;

namespace CamCube.Services.Collectives.Groups;

/// <summary>What functions of services have to be.</summary>
internal static class FunctionTerms
{
    private static readonly TimeSpan MostDeadline = TimeSpan.FromMinutes(1);

    /// <summary>What is wrong with one; null: nothing.</summary>
    /// <param name="function">The function.</param>
    /// <param name="server">The server that it has to be of.</param>
    public static string? WrongOf(ReduceFunction function, IServer server) =>
        function.Name.Length is 0 or > ReduceFunction.MostName
            ? $"a function's name has 1 to {ReduceFunction.MostName} characters"
        : function.ElementBytes is < 1 or > ReduceFunction.MostElementBytes
            ? $"a function's elements have 1 to {ReduceFunction.MostElementBytes:N0} bytes, and not "
                + $"{function.ElementBytes:N0}"
        : function.Deadline <= TimeSpan.Zero || function.Deadline > MostDeadline
            ? "a function's deadline is above zero, and at most a minute"
        : function.Cost < TimeSpan.Zero || function.Cost > MostDeadline ? "a function's cost is zero to a minute"
        : function.Server.Coordinate != server.Coordinate ? "a function's server is that of its group's member"
        : null;

    /// <summary>What stands for it in the head of an operation: never 0.</summary>
    public static uint HashOf(ReduceFunction function)
    {
        byte[] bytes = new byte[sizeof(int) + Encoding.UTF8.GetByteCount(function.Name)];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, function.ElementBytes);
        Encoding.UTF8.GetBytes(function.Name, bytes.AsSpan(sizeof(int)));
        uint hash = (uint)Key.OfBytes(bytes).Middle;
        return hash == 0 ? 1 : hash;
    }
}
