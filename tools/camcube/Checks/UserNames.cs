using System.Reflection.Metadata;

namespace CamCube.Tool.Checks;

/// <summary>
/// Names of methods as their author wrote them. The compiler puts async methods, iterators, lambdas and local functions
/// into types and methods of its own, whose names have the author's name in angle brackets:
/// <c>&lt;RunAsync&gt;d__3.MoveNext</c>, <c>&lt;&gt;c.&lt;OnStart&gt;b__0_1</c>, <c>&lt;OnStart&gt;g__Helper|2_0</c>.
/// </summary>
internal static class UserNames
{
    /// <summary>Namespace, types and name of the method that the author wrote.</summary>
    public static string Of(MetadataReader reader, MethodDefinition method)
    {
        string name = reader.GetString(method.Name);
        TypeDefinitionHandle type = method.GetDeclaringType();
        string? written = Inside(name);
        for (int depth = 0; depth < 100; depth++)
        {
            TypeDefinition definition = reader.GetTypeDefinition(type);
            string typeName = reader.GetString(definition.Name);
            if (!typeName.StartsWith('<') || definition.GetDeclaringType().IsNil)
            {
                break;
            }

            // An outer type's name says more than MoveNext, and as much as a lambda inside it.
            written = Inside(typeName) ?? written;
            type = definition.GetDeclaringType();
        }

        return $"{WithoutArity(DocumentationNames.Of(reader, type))}.{written ?? name}";
    }

    // "<<RunAsync>b__0>d" has "<RunAsync>b__0" inside, and that "RunAsync"; "<>c" has nothing inside.
    private static string? Inside(string name)
    {
        string? found = null;
        while (name.StartsWith('<'))
        {
            int depth = 0,
                end = 0;
            for (; end < name.Length; end++)
            {
                depth += name[end] switch
                {
                    '<' => 1,
                    '>' => -1,
                    _ => 0,
                };
                if (depth == 0)
                {
                    break;
                }
            }

            if (end <= 1 || end == name.Length)
            {
                break;
            }

            name = found = name[1..end];
        }

        return found;
    }

    private static string WithoutArity(string name)
    {
        // Type`1.Inner: the digits behind each ` go too.
        string[] parts = name.Split('`');
        return string.Concat(parts[..1].Concat(parts[1..].Select(part => part.TrimStart("0123456789".ToCharArray()))));
    }
}
