// Definitions of vision_msgs (ROS 2 Jazzy, 4.1), which the packages of common messages do not have.
import type { MessageWriter } from '@foxglove/rosmsg2-serialization';

type MessageDefinition = ConstructorParameters<typeof MessageWriter>[0][number];

const simple = (name: string, type: string) => ({ name, type, isComplex: false, isArray: false });
const complex = (name: string, type: string, isArray = false) => ({
  name,
  type,
  isComplex: true,
  isArray,
});

/** By name, as ros2jazzy. */
export const visionMessages: Record<string, MessageDefinition> = {
  'vision_msgs/Detection3DArray': {
    name: 'vision_msgs/Detection3DArray',
    definitions: [
      complex('header', 'std_msgs/Header'),
      complex('detections', 'vision_msgs/Detection3D', true),
    ],
  },
  'vision_msgs/Detection3D': {
    name: 'vision_msgs/Detection3D',
    definitions: [
      complex('header', 'std_msgs/Header'),
      complex('results', 'vision_msgs/ObjectHypothesisWithPose', true),
      complex('bbox', 'vision_msgs/BoundingBox3D'),
      simple('id', 'string'),
    ],
  },
  'vision_msgs/ObjectHypothesisWithPose': {
    name: 'vision_msgs/ObjectHypothesisWithPose',
    definitions: [
      complex('hypothesis', 'vision_msgs/ObjectHypothesis'),
      complex('pose', 'geometry_msgs/PoseWithCovariance'),
    ],
  },
  'vision_msgs/ObjectHypothesis': {
    name: 'vision_msgs/ObjectHypothesis',
    definitions: [simple('class_id', 'string'), simple('score', 'float64')],
  },
  'vision_msgs/BoundingBox3D': {
    name: 'vision_msgs/BoundingBox3D',
    definitions: [
      complex('center', 'geometry_msgs/Pose'),
      complex('size', 'geometry_msgs/Vector3'),
    ],
  },
};
