using System.Reflection.Metadata;

namespace CamCube.Tool.Checks;

/// <summary>What the compiler made of async methods and iterators.</summary>
internal sealed class StateMachines(MetadataReader reader, UsedNames names)
{
    private const string Space = "System.Runtime.CompilerServices.";

    /// <summary>The method that has the author's code: it has its lines, too. Nil: the code is in the method itself, or
    /// the machine is not there.</summary>
    /// <param name="method">The author's.</param>
    /// <param name="isAsync">Whether it is an async one (also where its machine is not there).</param>
    public MethodDefinitionHandle Of(MethodDefinition method, out bool isAsync)
    {
        isAsync = false;
        foreach (CustomAttributeHandle attribute in method.GetCustomAttributes())
        {
            CustomAttribute said = reader.GetCustomAttribute(attribute);
            string type = names.Of(said.Constructor)?.Type ?? "";
            if (type is not (Space + "AsyncStateMachineAttribute" or Space + "IteratorStateMachineAttribute"))
            {
                continue;
            }

            isAsync = type == Space + "AsyncStateMachineAttribute";
            string machine = AttributeNames.ArgumentsOf(said.DecodeValue(AttributeNames.Instance))
                is [{ Value: string made }]
                ? made
                : "";
            return MoveNextOf(method.GetDeclaringType(), machine.Split(',')[0].Split('+')[^1]);
        }

        return default;
    }

    private MethodDefinitionHandle MoveNextOf(TypeDefinitionHandle outer, string name) =>
        reader
            .GetTypeDefinition(outer)
            .GetNestedTypes()
            .Select(nested => reader.GetTypeDefinition(nested))
            .Where(nested => reader.StringComparer.Equals(nested.Name, name))
            .SelectMany(static nested => nested.GetMethods())
            .FirstOrDefault(m => reader.StringComparer.Equals(reader.GetMethodDefinition(m).Name, "MoveNext"));
}
