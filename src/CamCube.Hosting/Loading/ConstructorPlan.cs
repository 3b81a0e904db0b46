using System.Reflection;

namespace CamCube.Hosting.Loading;

/// <summary>How to make instances of a plug-in's class: its constructor and where each argument comes from. Immutable;
/// any thread.</summary>
/// <typeparam name="TContext">What is known only when an instance is made.</typeparam>
internal sealed class ConstructorPlan<TContext>(
    ConstructorInfo constructor,
    IReadOnlyList<Func<TContext, object?>> arguments
)
{
    /// <summary>The class.</summary>
    public Type Type => constructor.DeclaringType!;

    /// <summary>Makes an instance. What the constructor throws comes out as it is.</summary>
    public object Create(TContext context)
    {
        object?[] values = new object?[arguments.Count];
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = arguments[i](context);
        }

        return constructor.Invoke(BindingFlags.DoNotWrapExceptions, null, values, null);
    }
}
